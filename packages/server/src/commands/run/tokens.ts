import { DEFAULT_OVERLAP, parseDuration } from '../../auth/duration.ts';
import type { Lists, RequiredTexts, Run, Texts } from '../../cli/define-command.ts';
import { jsonLine, printList } from '../../cli/output.ts';
import { withStore } from '../../compose/open-data.ts';
import { timeText, toTime, toTokenAnswer } from '../../encoding/control-entries.ts';
import { readFlag, readScopeFlags } from './read-flag.ts';

export const createTokenAction: Run<
  RequiredTexts<'org' | 'name'> & Lists<'scope'> & Texts<'expires'>
> = async (output, { settings, org, name, scope, expires, json }) => {
  const given = {
    ...(scope.length === 0 ? {} : { scopes: readScopeFlags(scope) }),
    ...(expires === undefined
      ? {}
      : { expiresAfterMs: readFlag('--expires', () => parseDuration(expires)) }),
  };
  const created = await withStore({ settings, output }, (store) =>
    store.createToken({ organisationId: org, name, ...given }),
  );
  const expiry = toTime(created.expires);
  if (json) {
    const { tokenText: token, tokenId, scopes } = created;
    output.data(jsonLine({ token, tokenId, scopes, expires: expiry }));
  } else {
    output.data(`${created.tokenText}\n`);
    const end = expiry === null ? 'It does not expire.' : `It expires at ${expiry}.`;
    output.messages(
      `Save the token now: it is not stored and cannot be shown again. ${end}\nIts id is ${created.tokenId}; revoke it with: locmetrics token revoke ${created.tokenId}\n`,
    );
  }
};

export const listTokensAction: Run<Texts<'org'>> = async (
  output,
  { org: organisationId, settings, json },
) => {
  const filter = organisationId === undefined ? {} : { organisationId };
  const tokens = (await withStore({ settings, output }, (store) => store.listTokens(filter))).map(
    toTokenAnswer,
  );
  printList(output, {
    json,
    answer: { tokens },
    none: 'There are no tokens. Create one: locmetrics token create --org ID --name NAME',
    columns: [
      ...['ID', 'ORGANISATION', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'],
    ],
    rows: tokens.map((token) => [
      token.tokenId,
      token.organisationId,
      token.name,
      token.scopes.join(','),
      token.state,
      token.created,
      token.expires ?? 'never',
      token.lastUsed ?? 'never',
    ]),
  });
};

export const rotateTokenAction: Run<RequiredTexts<'token'> & Texts<'overlap'>> = async (
  output,
  { token, settings, overlap = DEFAULT_OVERLAP, json },
) => {
  const overlapMs = readFlag('--overlap', () => parseDuration(overlap, { minMs: 0 }));
  const rotated = await withStore({ settings, output }, (store) =>
    store.rotateToken(token, { overlapMs }),
  );
  const { tokenText, tokenId, scopes } = rotated;
  const expires = toTime(rotated.expires);
  const replaced = { ...rotated.replaced, expires: timeText(rotated.replaced.expires) };
  if (json) {
    output.data(jsonLine({ token: tokenText, tokenId, scopes, expires, replaced }));
  } else {
    output.data(`${tokenText}\n`);
    const end = expires === null ? 'does not expire' : `expires at ${expires}`;
    output.messages(
      `Save the token now: it is not stored and cannot be shown again. Its id is ${tokenId}, and it ${end}.\nThe old token ${replaced.tokenId} expires at ${replaced.expires}. Replace it everywhere before then.\n`,
    );
  }
};

export const revokeTokenAction: Run<RequiredTexts<'token'>> = async (
  output,
  { token, settings, json },
) => {
  const revoked = await withStore({ settings, output }, (store) => store.revokeToken(token));
  const time = toTime(revoked.revoked);
  if (json) {
    output.data(jsonLine({ tokenId: revoked.tokenId, revoked: time }));
  } else if (revoked.wasRevokedBefore) {
    output.data(`The token ${revoked.tokenId} was already revoked at ${time}.\n`);
  } else {
    output.data(`Revoked the token ${revoked.tokenId} (${revoked.name}).\n`);
  }
};
