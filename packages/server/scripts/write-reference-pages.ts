import { writeFileSync } from 'node:fs';
import { referencePages } from './reference-pages.ts';

for (const { path, text } of referencePages()) writeFileSync(path, text);
