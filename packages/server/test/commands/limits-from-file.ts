import { registerHooks } from 'node:module';

/**
 * Preloaded into the processes of a service under test: every organisation has the limits that a file
 * says, which is read with each request. The rights of tokens are otherwise as they are.
 */
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!/\/auth\/tokens\.[jt]s$/.test(url)) return loaded;
    const source = String(loaded.source);
    const changed = source.replace(
      'let rights = kept.get(organisationId);',
      `const limits = JSON.parse(
         process.getBuiltinModule('node:fs').readFileSync(process.env.TEST_LIMITS_FILE, 'utf8'),
       );
       let rights = createRights({ organisationId, grants: [wholeGrant('everything', '*')], limits });`,
    );
    if (changed === source) throw new Error('The rights of tokens are made in another way.');
    return { ...loaded, source: changed };
  },
});
