import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { configSet } from '../../experiments/config-set.ts';
import { isPreviewToken } from '../../experiments/preview.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows, isTestScreen, screenIds } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { formOf } from '../experiments/rules/experiment-form.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { screenName } from '../parts/rules/screen-names.ts';
import { returnedDraft, reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { warningText } from '../publishing/rules/review-notes.ts';
import { steppedScreens } from './rules/flow-form.ts';
import { frameOf } from './screen-frame.ts';
import { EditFlow } from './screens/edit-flow.tsx';
import { Flows } from './screens/flows.tsx';

const maxAliases = 200;
const isName = (name: string) => /^[\w-]{1,64}$/.test(name);

function flowsIn(c: Context<App>, texts: Documents) {
  const production = isProduction(c.env);
  const { set } = validateDocuments(texts, { production: production });
  const all = allFlows(set?.flows ?? { flows: {} }, production);
  const { variants } = formOf(texts);
  const usedBy = (name: string) =>
    variants.filter(({ flow }) => flow === name).map(({ key, weight }) => `${key} (${weight}%)`);
  return { all, usedBy, aliases: Object.entries(set?.flows.aliases ?? {}) };
}

const choicesOf = (without: readonly string[] = []) =>
  screenIds.filter((id) => !without.includes(id) && !isTestScreen(id));

interface SentAliases {
  aliases: readonly (readonly [string, string])[];
  base: string;
  problems: readonly string[];
}

async function flowsPage(c: Context<App>, sent?: SentAliases): Promise<Response> {
  const { documents, fingerprint } = await liveConfig(c);
  const { all, usedBy, aliases: published } = flowsIn(c, documents);
  const { aliases, base, problems } = sent ?? {
    aliases: published,
    base: fingerprint,
    problems: [],
  };
  const flows = [...all].map(async ([name, screens]) => {
    const variants = usedBy(name);
    const frame = variants.length > 0 ? await frameOf(c, documents, name) : '';
    return { name, screens, variants, frame };
  });
  return consolePage(
    c,
    <Flows
      flows={await Promise.all(flows)}
      copied={c.req.query('copy') ?? ''}
      isDraft={sent !== undefined}
      aliases={aliases.map(([alias, screen]) => ({ alias, screen }))}
      screens={choicesOf()}
      warnings={configSet
        .problems(documents)
        .warnings.map(warningText)
        // The table has the shares.
        .filter((text) => !text.startsWith('No new visitor gets'))}
      problems={problems}
      base={base}
    />,
    problems.length > 0 ? 422 : 200,
  );
}

export const showFlows = (c: Context<App>): Promise<Response> => flowsPage(c);

interface Edited {
  name: string;
  screens: readonly string[];
  base?: string | undefined;
  /** Preview token of the screens that are already shown. */
  frame?: string | null;
  problems?: readonly string[];
  notice?: string;
}

async function editPage(c: Context<App>, edited: Edited): Promise<Response> {
  const { name, screens, base, problems = [], notice = '' } = edited;
  const { documents, fingerprint } = await liveConfig(c);
  const { usedBy, all } = flowsIn(c, documents);
  const { frame } = edited;
  const props = {
    base: base ?? fingerprint,
    name,
    variants: usedBy(name),
    isChanged: screens.join() !== (all.get(name) ?? []).join(),
    screens,
    choices: choicesOf(screens),
    frame: frame && isPreviewToken(frame) ? frame : await frameOf(c, documents, name),
    script: chunks['console-flows'] ?? '',
    problems,
    notice,
  };
  return consolePage(c, <EditFlow {...props} />, problems.length > 0 ? 422 : 200);
}

const noName = (c: Context<App>) =>
  consoleRefusal(c, 400, 'Flows', 'A name consists of letters, digits, - and _.');

export async function editFlow(c: Context<App>): Promise<Response> {
  const name = c.req.query('name') ?? '';
  if (!isName(name)) return noName(c);
  const { documents } = await liveConfig(c);
  const { all } = flowsIn(c, documents);
  const screens = all.get(name) ?? all.get(c.req.query('copy') ?? '') ?? [];
  return editPage(c, { name, screens });
}

export async function stepFlow(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const name = fields.get('name') ?? '';
  if (!isName(name)) return noName(c);
  const sent = fields.getAll('screen').slice(0, 50);
  const [step, added] = [fields.get('step') ?? '', fields.get('added') ?? ''];
  const screens = steppedScreens({ screens: sent, step, added, place: fields.get('place') ?? '' });
  const base = fields.get('base') ?? undefined;
  const isAdded = step === 'add' && screens.length > sent.length;
  return editPage(c, {
    name,
    screens,
    base,
    frame: fields.get('frame'),
    notice: isAdded ? placeText(screens, added) : '',
  });
}

function placeText(screens: readonly string[], added: string): string {
  const at = screens.indexOf(added);
  const before = screens[at - 1];
  return `${screenName(added)} was added ${before ? `after ${screenName(before)}` : 'as the first screen'}.`;
}

interface FlowsDocument {
  flows?: Record<string, unknown>;
  aliases?: Record<string, unknown>;
}

function withFlows(texts: Documents, change: (before: FlowsDocument) => FlowsDocument): Documents {
  const before = JSON.parse(texts['flows.json'] ?? builtInDocuments['flows.json']) as FlowsDocument;
  return {
    ...texts,
    'config.json': texts['config.json'] ?? builtInDocuments['config.json'],
    'flows.json': JSON.stringify({ ...before, ...change(before) }, null, 2),
  };
}

const notServed = 'The live documents are not valid. Roll back to a version first.';

export async function reviewAliases(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const base = fields.get('base') ?? '';
  const names = fields.getAll('alias').map((name) => name.trim().replace(/^\//, ''));
  const to = fields.getAll('screen');
  const aliases = names
    .map((name, at) => [name, to[at] ?? ''] as const)
    .filter(([name]) => name !== '')
    .slice(0, maxAliases);
  const { documents } = await liveConfig(c);
  if (!configSet.isServed(documents)) {
    return flowsPage(c, { aliases, base, problems: [notServed] });
  }
  const next = withFlows(documents, () => ({ aliases: Object.fromEntries(aliases) }));
  const isTwice = new Set(aliases.map(([name]) => name)).size < aliases.length;
  const problems = isTwice
    ? ['Two aliases have the same address.']
    : configSet.problems(next).errors;
  if (problems.length > 0) return flowsPage(c, { aliases, base, problems });
  return reviewDocuments(c, next, base, { from: 'flows', flow: '' });
}

export async function reviewFlow(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const name = fields.get('name') ?? '';
  if (!isName(name)) return noName(c);
  const screens = fields.getAll('screen').slice(0, 50);
  const base = fields.get('base') ?? '';
  const { documents } = await liveConfig(c);
  if (!configSet.isServed(documents)) {
    return editPage(c, { name, screens, base, problems: [notServed] });
  }
  const next = withFlows(documents, ({ flows }) => ({ flows: { ...flows, [name]: screens } }));
  const { errors } = configSet.problems(next);
  if (errors.length > 0) return editPage(c, { name, screens, base, problems: errors });
  return reviewDocuments(c, next, base, { from: 'flows', flow: name });
}

/** The editor of a reviewed flow or of the aliases, with the draft. */
export async function returnToFlows(c: Context<App>): Promise<Response> {
  const { documents, base, flow: name } = await returnedDraft(c);
  const { all, aliases } = flowsIn(c, documents);
  return name === ''
    ? flowsPage(c, { aliases, base, problems: [] })
    : editPage(c, { name, screens: all.get(name) ?? [], base });
}
