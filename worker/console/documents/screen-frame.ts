import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { createPreview } from '../../experiments/preview.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { formOf } from '../experiments/rules/experiment-form.ts';

const frameSeconds = 60 * 60;

/**
 * A preview of the variant that uses the flow, otherwise of the first variant, for pictures of its screens.
 * @returns its token; empty if there is no preview
 */
export async function frameOf(
  c: Context<App>,
  documents: Documents,
  flow?: string,
): Promise<string> {
  const { variants } = formOf(documents);
  const arm = (variants.find((variant) => variant.flow === flow) ?? variants[0])?.key;
  if (arm === undefined) return '';
  const preview = { arm, country: 'US', lng: 'en', framed: true };
  return createPreview(namespaceKv(c.env.FUNNEL), preview, frameSeconds).catch(
    unanswered(c.var.log, 'FUNNEL', ''),
  );
}
