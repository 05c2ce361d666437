import * as v from 'valibot';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody } from '../../http/json-body.ts';
import { commandKey, operatorOf, operatorText } from '../../operators/audited-command.ts';
import { askProviders } from '../../payments/gateways/sale-check.ts';
import { Refusal } from '../../platform/errors.ts';
import { loadTexts } from './live-texts.ts';
import { liveDocuments } from './publish-documents.ts';
import {
  cancelPublication,
  runDuePublications,
  scheduledPublications,
  schedulePublication,
} from './scheduled-publications.ts';

/** For the commands: scheduled publications of `config.json` and `flows.json`, and of texts. */
export const listPublications = createHandlers(async (c) => {
  const kind = c.req.query('kind') === 'content' ? 'content' : 'config';
  return c.json({ data: await scheduledPublications(c.env, kind, Date.now()) });
});

const scheduleBody = v.object({
  kind: v.picklist(['config', 'content']),
  documents: v.record(v.string(), v.nullable(v.string())),
  base: v.pipe(v.string(), v.maxLength(64)),
  /** Ms since 1970. */
  due_at: v.number(),
  reason: operatorText,
  key: commandKey,
});

const saleBody = v.object({
  documents: v.record(v.string(), v.nullable(v.string())),
  /** Whether to create what orders need. */
  creates: v.boolean(),
});

/** Whether the payment providers sell what these documents offer; the commands ask before they publish. */
export const postSale = createHandlers(jsonBody(saleBody), async (c) => {
  const { documents, creates } = c.req.valid('json');
  const kv = namespaceKv(c.env.FUNNEL);
  const live = await liveDocuments(configSet, kv, c.env.DB, Date.now());
  if (configSet.problems(documents, live.documents).errors.length > 0)
    throw new Refusal('malformed_body', 'documents');
  return c.json({ data: await askProviders(c.env, live, documents, creates) });
});

/** The response's `kind` says whether it was scheduled. */
export const schedule = createHandlers(jsonBody(scheduleBody), async (c) => {
  const { documents, due_at, ...request } = c.req.valid('json');
  if (request.kind === 'content') await loadTexts(c.env, c.var.log);
  const result = await schedulePublication(c.env, {
    ...request,
    next: documents,
    who: operatorOf(c),
    byPerson: false,
    now: Date.now(),
    dueAt: due_at,
  });
  const errors =
    result.kind === 'invalid'
      ? result.errors
      : result.kind === 'clash'
        ? [`${result.who}, ${new Date(result.dueAt).toISOString()}: ${result.problem}`]
        : [];
  return c.json({ data: { kind: result.kind, errors } });
});

export const cancelScheduledPublication = createHandlers(async (c) => {
  const id = c.req.param('id') ?? '';
  const cancelled = await cancelPublication(c.env, {
    id: id.slice(0, 100),
    who: operatorOf(c),
    now: Date.now(),
  });
  if (!cancelled) throw new Refusal('not_found');
  return c.json({ data: { kind: cancelled } });
});

/** Does immediately what the cron does each minute. */
export const publishNow = createHandlers(async (c) =>
  c.json({ data: { count: await runDuePublications(c.env, Date.now(), c.var.log) } }),
);
