import { timeText } from '@locmetrics/core/encoding/control-entries';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { findServing } from '@locmetrics/data-directory/versions/serving-lock';
import type { Lists, RequiredTexts, Run } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { withStore } from '../../compose/open-data.ts';
import { findLocalUrl, signInAddress } from './explorer-address.ts';
import { readScopeFlags } from './read-flag.ts';

/** Makes a sign-in link for the running service. */
export const exploreAction: Run<RequiredTexts<'org'> & Lists<'scope'>> = async (
  output,
  { settings, org, scope, json },
) => {
  const scopes = scope.length === 0 ? {} : { scopes: readScopeFlags(scope) };
  const { address, ...link } = await withStore({ settings, output }, async (store, directory) => {
    const url = findExplorer(directory);
    const { code, ...made } = await store.createSignInLink({ organisationId: org, ...scopes });
    return { ...made, address: signInAddress(url, code) };
  });
  const expires = timeText(link.expires);
  if (json) {
    output.data(jsonLine({ address, linkId: link.linkId, scopes: link.scopes, expires }));
    return;
  }
  output.data(`${address}\n`);
  output.messages(
    `Open it in a browser on this machine until ${expires}. It works once and signs you in for 12 hours.\n`,
  );
};

function findExplorer(directory: DataDirectory): string {
  const { root } = directory;
  const addresses = findServing(directory)?.addresses ?? [];
  if (addresses.length === 0) {
    throw new DataDirectoryError(
      `No service runs on ${root}.`,
      `Start it: locmetrics serve --data ${root}`,
    );
  }
  const url = findLocalUrl(addresses);
  if (url !== undefined) return url;
  throw new DataDirectoryError(
    `The service listens on ${addresses.join(' and ')}, but not on an HTTP address of loopback.`,
    'Open its address and sign in with a token: locmetrics token create',
  );
}
