import {
  keepApiPackages,
  keepApiPrograms,
  keepChdb,
  keepGrpcurl,
  keepLanguageServer,
  keepOapiCodegen,
  keepPythonClient,
  keepRuntimes,
} from './tools.ts';

/** Installs every tool that the tests of `npm run test:*` use, as far as it can be had: `npm run test:tools`. */
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

for (const keep of [
  (): unknown => keepPythonClient('client', say),
  (): unknown => keepPythonClient('page', say),
  (): unknown => keepApiPrograms(say),
  (): unknown => keepApiPackages(say),
  (): unknown => keepRuntimes(say),
  (): unknown => keepLanguageServer(say),
  (): unknown => keepChdb(say),
  (): unknown => keepGrpcurl(say),
  (): unknown => keepOapiCodegen(say),
]) {
  try {
    keep();
  } catch (error) {
    // The tests that use it fail with the same message.
    say(String(error));
  }
}
