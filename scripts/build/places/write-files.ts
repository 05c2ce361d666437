import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { areaFolder } from '../../../islands/maps/area-drawing.ts';
import { numberingFolder } from '../../../islands/phone/numbering-rules.ts';
import { shardFolder } from '../../../worker/phone-lookup/data-shards.ts';
import { countryFacts } from '../country-facts.ts';
import { areas } from './area-files.ts';
import {
  countriesOfCode,
  numberingData,
  numberingPlans,
  numberingSlices,
  numberShards,
  otherPlaceNames,
} from './numbering-data.ts';
import { cityFiles, namedPoints } from './town-labels.ts';

const [folder = ''] = process.argv.slice(2);
const unfinished = `.cache/unfinished-places-${process.pid}`;

function write(below: string, files: Map<string, string>): void {
  for (const [name, json] of files) {
    const file = join(unfinished, below, `${name}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, json);
  }
}

const languages = globSync('locales/*/screens.json').map((file) => basename(dirname(file)));
const countriesFile = (language: string) =>
  [language, JSON.stringify(countryFacts(language))] as const;

const numbers = numberingData();
const points = namedPoints(numbers.place, otherPlaceNames(), countriesOfCode);
write(`${shardFolder}/countries`, new Map(languages.map(countriesFile)));
write(numberingFolder, numberingSlices());
write(`${shardFolder}/numbers`, numberShards(numbers, new Set(Object.keys(countriesOfCode))));
write(`${shardFolder}/plans`, numberingPlans());
write(`${shardFolder}/cities`, cityFiles(points));
write(areaFolder, areas());
rmSync(dirname(folder), { recursive: true, force: true });
mkdirSync(dirname(folder), { recursive: true });
renameSync(unfinished, folder);
