import { expect, test } from 'vitest';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** The bytes of a text in an encoding of single bytes, which has a table of the characters from 0x80 to 0xff. */
function encode(text: string, encoding: string): Uint8Array {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [
      new TextDecoder(encoding).decode(Uint8Array.of(byte)),
      byte,
    ]),
  );
  return Uint8Array.from(text, (character) => table.get(character) ?? 0x3f);
}

/** The bytes of a text in an encoding of two bytes, found by decoding each pair. */
function encodeWide(text: string, encoding: string): Uint8Array {
  const table = new Map<string, readonly number[]>();
  for (let first = 0x81; first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) {
      const character = new TextDecoder(encoding).decode(Uint8Array.of(first, second));
      if ([...character].length === 1 && !table.has(character)) {
        table.set(character, [first, second]);
      }
    }
  }
  return Uint8Array.from(
    [...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : (table.get(one) ?? [0x3f]))),
  );
}

const POLISH =
  'kod;miasto;ludnosc\n1061;Łódź;664860\n1261;Kraków;803283\n2464;Częstochowa;208282\n';
const GERMAN =
  'schluessel;gemeinde;einwohner\n09162;München;1\n05315;Köln;2\n08111;Stuttgart-Süd;3\n';
const FRENCH = 'code;commune;habitants\n45234;Orléans;1\n42218;Saint-Étienne;2\n38000;Isère;3\n';
const RUSSIAN = 'код;город;жители\n45;Москва;13000000\n40;Санкт-Петербург;5600000\n';
const CZECH = 'kod;mesto;obyvatel\n554782;Plzeň;1\n582786;Děčín;2\n544256;České Budějovice;3\n';
const HUNGARIAN = 'kod;telepules;nepesseg\n1;Győr;1\n2;Székesfehérvár;2\n3;Hódmezővásárhely;3\n';
const ROMANIAN = 'cod;judet;populatie\n1;Braşov;1\n2;Constanţa;2\n3;Argeş;3\n';
const TURKISH = 'plaka;il;ziyaretçi\n40;Kırşehir;1\n48;Muğla;2\n76;Iğdır;3\n';
const ICELANDIC = 'kodi;stadur;gestir\n1;Ísafjörður;1\n2;Þórshöfn;2\n3;Akureyri;3\n';
const GREEK = 'κωδικός;περιφέρεια;αφίξεις\n1;Αττική;1\n2;Κρήτη;2\n3;Ήπειρος;3\n';
const HEBREW = 'סמל;יישוב;תושבים\n3000;ירושלים;1\n4000;חיפה;2\n5000;תל אביב;3\n';
const ARABIC = 'رمز;مدينة;سكان\n1;الرياض;1\n2;جدة;2\n3;مكة المكرمة;3\n';
const LATVIAN = 'kods;novads;iedzivotaji\n1;Rīga;1\n2;Rēzekne;2\n3;Ādaži;3\n';
const LITHUANIAN = 'kodas;savivaldybe;gyventojai\n1;Šiauliai;1\n2;Panevėžys;2\n3;Klaipėda;3\n';
const JAPANESE = '市区町村コード,市区町村名,人口\n13101,千代田区,67000\n13102,中央区,172000\n';
const CHINESE = '地区,年份,人口\n北京市,2020,21890000\n上海市,2020,24870000\n';
const TAIWANESE = '縣市,年份,旅客人次\n臺北市,2024,1200\n高雄市,2024,800\n';
const KOREAN = '행정구역,시점,총인구수\n서울특별시,2024,9380000\n부산광역시,2024,3290000\n';

test.each([
  ['iso-8859-2', encode(POLISH, 'iso-8859-2'), 'Łódź'],
  ['windows-1250', encode(POLISH, 'windows-1250'), 'Łódź'],
  ['iso-8859-1', encode(GERMAN, 'iso-8859-15'), 'München'],
  ['macintosh', encode(GERMAN, 'macintosh'), 'München'],
  ['macintosh', encode(FRENCH, 'macintosh'), 'Orléans'],
  ['windows-1251', encode(RUSSIAN, 'windows-1251'), 'Москва'],
  ['iso-8859-2', encode(CZECH, 'iso-8859-2'), 'Plzeň'],
  ['iso-8859-2', encode(HUNGARIAN, 'iso-8859-2'), 'Győr'],
  ['iso-8859-2', encode(ROMANIAN, 'iso-8859-2'), 'Braşov'],
  ['windows-1254', encode(TURKISH, 'windows-1254'), 'Kırşehir'],
  ['iso-8859-1', encode(ICELANDIC, 'windows-1252'), 'Ísafjörður'],
  ['windows-1253', encode(GREEK, 'windows-1253'), 'Αττική'],
  ['windows-1255', encode(HEBREW, 'windows-1255'), 'ירושלים'],
  ['windows-1256', encode(ARABIC, 'windows-1256'), 'الرياض'],
  ['windows-1257', encode(LATVIAN, 'windows-1257'), 'Rīga'],
  ['windows-1257', encode(LITHUANIAN, 'windows-1257'), 'Šiauliai'],
  ['shift_jis', encodeWide(JAPANESE, 'shift_jis'), '千代田区'],
  ['euc-jp', encodeWide(JAPANESE, 'euc-jp'), '千代田区'],
  ['gb18030', encodeWide(CHINESE, 'gb18030'), '北京市'],
  ['big5', encodeWide(TAIWANESE, 'big5'), '臺北市'],
  ['euc-kr', encodeWide(KOREAN, 'euc-kr'), '서울특별시'],
] as const)('a text in %s is read, with a doubt', async (encoding, bytes, name) => {
  const { text, rows } = await drafted({ 'a.csv': bytes });
  expect(text).toContain(`encoding: ${encoding}\n`);
  expect(checks(text).join('\n')).toContain(`Not UTF-8, so it is read as ${encoding}, for example`);
  expect(rows.flatMap((row) => Object.values(row))).toContain(name);
});

test('a doubt names what the text would be in other encodings with the same letters', async () => {
  const { text } = await drafted({
    'a.csv': encode('kod;obec;obyvatel\n1;Přeštice;7000\n2;Žďár;3800\n', 'windows-1250'),
  });
  expect(checks(text).join('\n')).toMatch(/'Pøeštice'|'Přeštice'/);
});

test('a few words of Japanese are no letters with accents', async () => {
  const bytes = encodeWide(
    '地点,年月,人数\n新宿駅,2024-01,1200\n渋谷駅,2024-01,900\n',
    'shift_jis',
  );
  const { text, rows } = await drafted({ 'a.csv': bytes });
  expect(text).toContain('encoding: shift_jis');
  expect(rows.flatMap((row) => Object.values(row))).toContain('新宿駅');
});

test('two letters with accents within a Portuguese word are no Chinese character', async () => {
  const content =
    'Data;PRECIPITAÇÃO TOTAL (mm);TEMPERATURA (°C);HORÁRIO\n2023-01-01;1,5;20,5;A\n2023-01-02;0,5;21,5;B\n';
  const { text } = await drafted({ 'inmet.csv': encode(content, 'iso-8859-1') });
  expect(checks(text)[0]).toMatch(
    /^Not UTF-8, so it is read as iso-8859-1, for example 'PRECIPITAÇÃO'/,
  );
});
