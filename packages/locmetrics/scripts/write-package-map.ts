import { writeFileSync } from 'node:fs';
import { packageMap } from './package-map.ts';

const { path, text } = packageMap();
writeFileSync(path, text);
