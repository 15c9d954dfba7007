import { aroundAll, aroundEach, expect } from 'vitest';
import { beginCollecting, releaseAfter } from './release.ts';
import { nameFolders } from './temporary-folder.ts';

/** Run by vitest before each test file: ends, after each test and after the file, what they began. */
beginCollecting();
nameFolders(expect.getState().testPath ?? '');

aroundAll((runFile) => releaseAfter(runFile));
aroundEach((runTest) => releaseAfter(runTest));
