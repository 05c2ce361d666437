import type { Context } from 'hono';
import type { DocumentSet, Documents } from '../../documents/document-set.ts';
import { liveVersion, readVersion, readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { fingerprintOf, type Live } from '../../documents/live-documents.ts';
import { configSet } from '../../experiments/config-set.ts';
import { hasHoldout } from '../../experiments/holdout-fix.ts';
import { productTextErrors } from '../../experiments/product-texts.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { consolePage } from '../parts/console-response.tsx';
import { enterReason, readForm, reasonIn } from '../parts/form-fields.ts';
import { clockOf } from '../parts/time-zone-choice.ts';
import { confirmWritten } from './live-texts.ts';
import { publicationNotes } from './publication-table.ts';
import { liveConfig, publishAudited, questionOf } from './publish-documents.ts';
import { unsoldLines } from './rules/review-notes.ts';
import {
  newSchedule,
  notScheduled,
  scheduledTable,
  scheduleSent,
  waitingLines,
} from './schedule-pages.tsx';
import type { Conflict, ReviewFrameProps } from './screens/review-frame.tsx';
import { Versions } from './screens/versions.tsx';

const maxVersions = 50;

export interface SentReview {
  next: Documents | null;
  /** Fingerprint of the documents that the editor started from. */
  base: string;
}

type Common = Pick<ReviewFrameProps, 'conflict' | 'problem' | 'warnings' | 'schedule'>;

export interface Editor<State extends { live: Live }, Change extends SentReview> {
  set: DocumentSet;
  home: string;
  versions: string;
  read(c: Context<App>): Promise<State>;
  changeIn(c: Context<App>, fields: URLSearchParams, state: State): Promise<Change>;
  refuse(c: Context<App>, state: State, change: Change): Promise<Response>;
  review(
    c: Context<App>,
    state: State,
    change: Change & { next: Documents },
    common: Common,
  ): Promise<Response>;
  /**
   * Publishes what has to be live before the change.
   * @param publication null for a publication at a later time
   * @returns why the change cannot be published; empty if it can
   */
  first?(
    c: Context<App>,
    change: Change & { next: Documents },
    publication: { reason: string; base: string } | null,
  ): Promise<string>;
  publishedAt(state: State, change: Change & { next: Documents }, version: string): string;
}

const isValid = <Change extends SentReview>(
  change: Change,
): change is Change & { next: Documents } => change.next !== null;

async function conflictSince(
  c: Context<App>,
  set: DocumentSet,
  base: string,
  live: Live,
): Promise<Conflict> {
  const kv = namespaceKv(c.env.FUNNEL);
  const versions = await readVersions(kv, set);
  const newest = liveVersion(versions, live);
  const started =
    base === fingerprintOf(set.builtIn)
      ? { id: 'built-in' }
      : versions.find(({ fingerprint }) => fingerprint === base);
  return {
    who: newest?.who ?? 'Somebody',
    time: newest ? clockOf(c)(Date.parse(newest.time)) : 'an unknown time',
    differences: started
      ? set.differences(await readVersion(kv, set, started.id), live.documents)
      : ['Your starting version is unknown, so changes cannot be listed.'],
  };
}

/** Shows the effect of a change before it is published, or again with what prevented it. */
export async function reviewPage<State extends { live: Live }, Change extends SentReview>(
  c: Context<App>,
  editor: Editor<State, Change>,
  state: State,
  change: Change,
  problem = '',
): Promise<Response> {
  if (!isValid(change)) return editor.refuse(c, state, change);
  const { set } = editor;
  const { live } = state;
  const isConflict = change.base !== live.fingerprint;
  return editor.review(c, state, change, {
    conflict: isConflict ? await conflictSince(c, set, change.base, live) : null,
    problem,
    warnings: [
      ...(await waitingLines(c, set.name, change.next)),
      ...(set === configSet
        ? await productTextErrors(namespaceKv(c.env.FUNNEL), change.next, live)
        : []),
    ],
    schedule: { ...newSchedule(c), hasHoldout: await meetsHoldout(c, set, live) },
  });
}

async function meetsHoldout(c: Context<App>, set: DocumentSet, live: Live): Promise<boolean> {
  const { documents } = set === configSet ? live : await liveConfig(c);
  return hasHoldout(documents, Date.now());
}

const notLater = 'What law or safety asks for is published now.';

/** The last published versions, and the built-in one. */
async function publishedVersions(c: Context<App>, set: DocumentSet, live: Live) {
  const [published, notes] = await Promise.all([
    readVersions(namespaceKv(c.env.FUNNEL), set),
    publicationNotes(c.env.DB, set.name).catch(unanswered(c.var.log, 'DB', null)),
  ]);
  const current = liveVersion(published, live);
  const isBuiltIn = !current && live.fingerprint === fingerprintOf(set.builtIn);
  const rows = published.slice(0, maxVersions).map((version) => ({
    ...version,
    reason: notes?.get(version.id)?.reason ?? '',
    differences: JSON.parse(notes?.get(version.id)?.differences ?? '[]') as string[],
    isLive: version === current,
    unsold: version === current ? unsoldLines(live.manifest[set.name]?.unsold) : [],
  }));
  const empty = { time: '', who: '', reason: '', differences: [], unsold: [] };
  return [...rows, { ...empty, id: 'built-in', isLive: isBuiltIn }];
}

export function publishingPages<State extends { live: Live }, Change extends SentReview>(
  editor: Editor<State, Change>,
) {
  const { set, home, versions } = editor;

  async function sent(c: Context<App>) {
    const fields = await readForm(c);
    const state = await editor.read(c);
    return { fields, state, change: await editor.changeIn(c, fields, state) };
  }

  /** Compares again with what somebody else has published meanwhile. */
  async function reviewAgain(c: Context<App>, fields: URLSearchParams): Promise<Response> {
    const state = await editor.read(c);
    return reviewPage(c, editor, state, await editor.changeIn(c, fields, state));
  }

  type Form = Awaited<ReturnType<typeof sent>>;

  /** The page for what was neither published nor scheduled. */
  function unpublished(
    c: Context<App>,
    { fields, state, change }: Form,
    result: { kind: 'unchanged' | 'conflict' } | { kind: 'invalid'; errors: readonly string[] },
  ): Response | Promise<Response> {
    if (result.kind !== 'invalid')
      return result.kind === 'unchanged' ? c.redirect(home, 303) : reviewAgain(c, fields);
    // `refuse` shows what is wrong with the documents alone.
    const problem = `Nothing was published: ${result.errors.slice(0, 5).join('; ')}.`;
    return isValid(change)
      ? reviewPage(c, editor, state, change, problem)
      : editor.refuse(c, state, change);
  }

  async function schedule(c: Context<App>, form: Form): Promise<Response> {
    const { fields, state, change } = form;
    if (!isValid(change) || !reasonIn(fields)) {
      return reviewPage(c, editor, state, change, enterReason);
    }
    if (fields.has('fix')) return reviewPage(c, editor, state, change, notLater);
    const refusal = await editor.first?.(c, change, null);
    if (refusal) return reviewPage(c, editor, state, change, refusal);
    const { next, base } = change;
    const result = await scheduleSent(c, fields, { kind: set.name, next, base });
    switch (result.kind) {
      case 'scheduled':
        return c.redirect(`${versions}?done=scheduled`, 303);
      case 'unchanged':
      case 'invalid':
      case 'conflict':
        return unpublished(c, form, result);
      default:
        return reviewPage(c, editor, state, change, notScheduled(c, result));
    }
  }

  return {
    schedule: async (c: Context<App>): Promise<Response> => schedule(c, await sent(c)),

    async review(c: Context<App>): Promise<Response> {
      const { state, change } = await sent(c);
      return reviewPage(c, editor, state, change);
    },

    async publish(c: Context<App>): Promise<Response> {
      const form = await sent(c);
      const { fields, state, change } = form;
      // The Enter key presses this button even where the other one is shown.
      if (fields.get('when') === 'later') return schedule(c, form);
      const reason = reasonIn(fields);
      if (!isValid(change) || !reason) return reviewPage(c, editor, state, change, enterReason);
      const { next, base } = change;
      const { documents, fingerprint } = state.live;
      const isCurrent = base === fingerprint;
      const sentBase = fields.get('texts') ?? '';
      const refusal = isCurrent && (await editor.first?.(c, change, { reason, base: sentBase }));
      if (refusal) return reviewPage(c, editor, state, change, refusal);
      const isFix = fields.has('fix');
      const details = { base, differences: set.differences(documents, next), isFix };
      const publication = {
        ...{ next, base, who: c.var.person.email, now: new Date(), isFix },
        ask: questionOf(set, c.env, next),
      };
      const kv = namespaceKv(c.env.FUNNEL);
      const result = await publishAudited(set, kv, c.env.DB, publication, { details, reason });
      if (result.kind === 'unsellable')
        return reviewPage(c, editor, state, change, `Nothing was published: ${result.reason}.`);
      if (result.kind !== 'published') return unpublished(c, form, result);
      await confirmWritten(set, c.env.DB, documents, next);
      return c.redirect(editor.publishedAt(state, change, result.version), 303);
    },

    /** The last published versions, and what is scheduled. */
    async showVersions(c: Context<App>): Promise<Response> {
      const [{ live }, scheduled] = await Promise.all([
        editor.read(c),
        scheduledTable(c, set.name),
      ]);
      const versions = await publishedVersions(c, set, live);
      return consolePage(c, <Versions kind={set.name} versions={versions} {...scheduled} />);
    },
  };
}
