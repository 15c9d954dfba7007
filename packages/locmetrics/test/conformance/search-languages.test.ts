import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { defineTable } from './table.ts';

/** A stored name, texts that find it, and texts that are near and do not. */
const NAMES = [
  ['German', 'Zürich', ['zurich', 'ZÜRICH', 'Zu\u0308rich', 'ürich'], ['zuerich']],
  ['German, sharp s', 'Weißstraße', ['weissstrasse', 'WEISSSTRASSE', 'weiẞstraẞe'], ['weistrase']],
  ['Swiss German, NFD', 'Mu\u0308nchenbuchsee', ['münchenb', 'munchenb'], ['muenchenb']],
  ['French', 'Œuilly-lès-Nîmes', ['oeuilly-les-nimes', 'œuilly', 'NÎMES'], ['euille']],
  ['Portuguese', 'São João da Conceição', ['sao joao', 'conceicao', 'SÃO'], ['saõ-joao']],
  ['Spanish', 'A Coruña', ['coruna', 'CORUÑA', 'Corun\u0303a'], ['corunya']],
  ['Polish', 'Łódź', ['lodz', 'łódź', 'LODZ'], ['wodz']],
  ['Czech', 'Česká Třebová', ['ceska trebova', 'ČESKÁ'], ['cheska']],
  ['Hungarian', 'Székesfehérvár', ['szekesfehervar', 'FEHÉRVÁR'], ['szekesfejer']],
  ['Romanian', 'Târgu Mureș', ['targu mures', 'Tȃrgu', 'mureş'], ['tirgu']],
  ['Estonian', 'Põltsamaa Jõgeva', ['poltsamaa', 'jogeva'], ['pyltsamaa']],
  ['Danish', 'Ærøskøbing', ['aeroskobing', 'ærøskøbing', 'AEROSKØBING'], ['aroskobing']],
  ['Swedish', 'Malmö Ångström', ['malmo angstrom', '\u212Bngström'], ['malmoe']],
  ['Icelandic', 'Ísafjörður', ['isafjorður', 'ÍSAFJÖRÐUR'], ['isafjordur']],
  ['Turkish', 'Diyarbakır', ['diyarbakir', 'DİYARBAKIR', 'diyarbakır'], ['diyarbaker']],
  ['Turkish, dotted capital', 'İzmir', ['izmir', 'IZMIR', 'ızmır'], ['jzmir']],
  ['Croatian', 'Đurđevac', ['durdevac', 'ĐURĐEVAC'], ['djurdjevac']],
  ['Vietnamese', 'Thành phố Hồ Chí Minh', ['thanh pho ho chi minh', 'HỒ CHÍ'], ['ho chih']],
  ['Vietnamese, NFD', 'Đà Nẵng'.normalize('NFD'), ['da nang', 'Đà Nẵng', 'đà nẵng'], ['dja nang']],
  ['Greek', 'Αθήνα', ['αθηνα', 'ΑΘΗΝΑ', 'Αθη\u0301να'], ['athina']],
  ['Greek, final sigma', 'Πειραιάς', ['πειραιας', 'ΠΕΙΡΑΙΆς'], ['ΠΕΙΡΑΙΑΣ', 'πειραιασ']],
  ['Russian', 'Йошкар-Ола', ['йошкар', 'ИОШКАР', 'и\u0306ошкар'], ['joshkar']],
  ['Russian, yo', 'Орёл', ['орел', 'ОРЁЛ'], ['oрёл']],
  ['Hebrew', 'תל אביב', ['אביב', 'תל'], ['תלא']],
  ['Arabic', 'القاهرة', ['القاهرة', 'قاهر'], ['القاهره']],
  ['Arabic, hamza', 'أبوظبي'.normalize('NFD'), ['أبوظبي', 'ابو'.slice(1)], ['إبوظبي']],
  ['Hindi', 'फ़रीदाबाद', ['फ़रीदाबाद'.normalize('NFD'), 'रीदा'], ['रिदा']],
  ['Thai', 'กรุงเทพมหานคร', ['กรุงเทพ', 'มหานคร'], ['กรงเทพ']],
  ['Korean', '서울특별시', ['서울', '서울특별시'.normalize('NFD'), '특별'], ['서을']],
  ['Korean, NFD', '부산광역시'.normalize('NFD'), ['부산', '광역시'], ['부삼']],
  ['Japanese, NFD', 'ながさき'.normalize('NFD'), ['ながさき', 'なが'], ['ながざき']],
  ['Chinese', '北京市', ['北京', '京市'], ['東京']],
] as const;

describeOn(ENGINES)('searches in many languages, $name engine', (engine) => {
  const { values } = useService(
    engine,
    defineTable({
      name: 'conformance.languages',
      fields: { name: { type: 'string', searchable: true } },
      rows: NAMES.map(([, name]) => ({ name })),
    }),
  );

  test.each(NAMES)('%s: %s is found', async (_, name, found, other) => {
    for (const term of found) expect(await values('name', { term }), term).toContain(name);
    for (const term of other) expect(await values('name', { term }), term).not.toContain(name);
  });

  test('a name that is stored in either form is found first by the other one', async () => {
    for (const [, name] of NAMES) {
      for (const form of ['NFC', 'NFD']) {
        expect((await values('name', { term: name.normalize(form) }))[0]).toBe(name);
      }
    }
  });
});
