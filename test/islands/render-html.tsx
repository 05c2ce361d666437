import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandText } from '../../locales/index.ts';
import { planOf, planView } from '../../worker/catalog/rules/plans.ts';
import { renewals } from '../renewal-placeholders.ts';

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

export const intro = planView(planOf('monthly_7d', 'USD'), renewals);
export const quarterly = planView(planOf('quarterly', 'USD'), renewals);
export const upsell = planView(planOf('upsell_monthly_799', 'USD'), renewals);
