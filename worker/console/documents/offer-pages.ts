import type { Context } from 'hono';
import { configSet } from '../../experiments/config-set.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import type { App } from '../../platform/env.ts';
import { readForm } from '../parts/form-fields.ts';
import { reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { offersPage } from './offers-pages.tsx';
import { fieldProblems } from './rules/field-problems.ts';
import { offerIn, withOffer } from './rules/offer-form.ts';

export async function reviewOffer(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const form = offerIn(fields);
  const served = configSet.isServed(documents) ? documents : builtInDocuments;
  const config = served['config.json'] ?? builtInDocuments['config.json'];
  const next = { ...documents, 'config.json': withOffer(config, form) };
  const { errors } = configSet.problems(next, documents);
  const { beside, others } = fieldProblems(errors, `config.json offers.${form.key}.`);
  if (errors.length > 0)
    return offersPage(c, { offer: { form, problems: beside }, problems: others });
  return reviewDocuments(c, next, fields.get('base') ?? '', { from: 'offers', flow: '' });
}
