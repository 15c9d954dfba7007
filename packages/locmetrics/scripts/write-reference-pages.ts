import { writeFileSync } from 'node:fs';
import { referencePages } from './reference-pages.ts';

for (const { path, text } of await referencePages()) writeFileSync(path, text);
