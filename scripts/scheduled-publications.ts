import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { ScheduledSummary } from '../worker/console/publishing/schedule-table.ts';
import type { DocumentStore, Documents } from '../worker/documents/versioned-documents.ts';
import { CommandError, subcommand } from './command.ts';
import { isLocal, siteOf } from './local-server.ts';
import type { Site } from './ops/admin-client.ts';
import { type Context, diff } from './versioned-documents.ts';
import type { Target } from './wrangler.ts';

/** @returns ms since 1970 */
export function timeIn(text: string): number {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const ms = Date.parse(hasZone ? text : Number.NaN.toString());
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError('Expected a time with its zone, such as 2026-12-01T09:00Z.');
  }
  return ms;
}

const refusals: Record<string, string> = {
  'bad-time': 'The time must be within the coming year.',
  conflict: 'Other documents were published meanwhile. Nothing was scheduled.',
  unchanged: 'These documents are already live. Nothing was scheduled.',
  clash:
    'It does not fit a change that is already scheduled. Cancel that one with unschedule, or change this one.',
};

interface ScheduleOptions {
  at: number;
  reason?: string;
  yes: boolean;
}

export async function schedule<D extends Documents>(
  store: DocumentStore<D>,
  next: D,
  { at, reason, yes }: ScheduleOptions,
  { site, ...context }: Context & { site: Site },
): Promise<void> {
  if (!reason) throw new CommandError('Give the reason for the publication with --reason.');
  const { fingerprint: base } = await diff(store, next, context);
  const time = new Date(at).toISOString();
  if (!yes && !(await context.confirm(`Publish this at ${time}?`))) {
    throw new CommandError('Nothing was scheduled.');
  }
  const key = randomUUID();
  const body = { kind: store.kind, documents: next, base, due_at: at, reason, key };
  const { kind, errors } = await site.post<{ kind: string; errors: string[] }>(
    '/publications',
    body,
  );
  if (kind !== 'scheduled') throw new CommandError([refusals[kind] ?? kind, ...errors].join('\n'));
  context.print(
    `Scheduled ${key}. The change will be published at ${time}; what others publish before then stays.`,
  );
}

export async function listScheduled(
  kind: string,
  { site, print }: { site: Site; print: Context['print'] },
): Promise<void> {
  const all = await site.get<ScheduledSummary[]>(`/publications?kind=${kind}`);
  for (const { id, due_at, state, operator, note } of all) {
    print(`${id}  ${new Date(due_at).toISOString()}  ${state}  ${operator}  ${note}`.trimEnd());
  }
  if (all.length === 0) print('Nothing is scheduled.');
}

interface SiteOption {
  site?: string;
}

/** The documents and the server must be of one site. @throws CommandError */
function siteFor({ site }: SiteOption, { remote, persistTo: state }: Target): Site {
  if (remote && !site) throw new CommandError('Name the live site with --site.');
  if (site && isLocal(site) === remote) {
    throw new CommandError(
      remote ? `${site} is not the live site.` : `Add --remote, because ${site} is a live site.`,
    );
  }
  return siteOf({ ...(site && { site }), state });
}

/** With the same effect as the console. */
export function scheduleCommands<D extends Documents>(
  program: Command,
  store: DocumentStore<D>,
  read: (file: string) => Promise<D>,
  { context, target }: { context: () => Context; target: () => Target },
): void {
  const on = (command: Command) =>
    command.option('--site <url>', 'the live site, for --remote; needs ADMIN_TOKEN');

  on(
    subcommand(
      program,
      'schedule <folder>',
      'checks, shows the changes, asks for confirmation, schedules the publication',
      'campaign 2026-12-01T09:00Z --reason "Christmas campaign"',
    ),
  )
    .argument('<time>', 'when, with its zone, such as 2026-12-01T09:00Z', timeIn)
    .option('--reason <text>', 'for the audit; required')
    .option('--yes', 'do not ask', false)
    .action(async (folder: string, at: number, options: Omit<ScheduleOptions, 'at'> & SiteOption) =>
      schedule(
        store,
        await read(folder),
        { ...options, at },
        { ...context(), site: siteFor(options, target()) },
      ),
    );

  on(subcommand(program, 'scheduled', 'lists scheduled publications and their outcome')).action(
    (options: SiteOption) =>
      listScheduled(store.kind, { site: siteFor(options, target()), print: context().print }),
  );

  on(subcommand(program, 'unschedule <id>', 'cancels a scheduled publication', '3f1c…')).action(
    async (id: string, options: SiteOption) => {
      await siteFor(options, target()).post(`/publications/${encodeURIComponent(id)}/cancel`, {});
      context().print(`Cancelled ${id}.`);
    },
  );
}
