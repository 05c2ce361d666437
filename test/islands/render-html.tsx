import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandText } from '../../locales/index.ts';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { viewOf } from '../renewal-placeholders.ts';

/** The English texts of the islands. */
export const text = JSON.parse(readFileSync('locales/en/islands.json', 'utf8')) as IslandText;

/** An island's HTML as sent by the edge, before any script. */
export const htmlOf = (island: ReactElement): string => renderToString(island);

/** The text of a piece of HTML. */
export const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export const intro = viewOf(builtInCatalog.planOf('monthly_7d', 'USD'));
export const quarterly = viewOf(builtInCatalog.planOf('quarterly', 'USD'));
export const upsell = viewOf(builtInCatalog.planOf('upsell_monthly_799', 'USD'));
