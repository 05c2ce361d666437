import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { ScheduledSummary } from '../worker/console/publishing/schedule-table.ts';
import type { DocumentSet, Documents } from '../worker/documents/document-set.ts';
import type { SaleAnswer } from '../worker/payments/gateways/sale-check.ts';
import { CommandError, subcommand } from './command.ts';
import { adminSiteOf, isLocal } from './local-server.ts';
import type { Site } from './ops/admin-client.ts';
import { type Commands, type Context, diff } from './versioned-documents.ts';
import type { Target } from './wrangler.ts';

/** @returns ms since 1970 */
function timeIn(text: string): number {
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

async function schedule(
  set: DocumentSet,
  next: Documents,
  { at, reason, yes }: ScheduleOptions,
  { site, ...context }: Context & { site: Site },
): Promise<void> {
  if (!reason) throw new CommandError('Give the reason for the publication with --reason.');
  const { fingerprint: base } = await diff(set, next, context);
  const time = new Date(at).toISOString();
  if (set.name === 'config') {
    const sale = { documents: next, creates: false };
    const { lines } = await site.post<SaleAnswer>('/publications/sale', sale);
    for (const line of lines) context.print(line);
  }
  if (!yes && !(await context.confirm(`Publish this at ${time}?`))) {
    throw new CommandError('Nothing was scheduled.');
  }
  const key = randomUUID();
  const body = { kind: set.name, documents: next, base, due_at: at, reason, key };
  const { kind, errors } = await site.post<{ kind: string; errors: string[] }>(
    '/publications',
    body,
  );
  if (kind !== 'scheduled') throw new CommandError([refusals[kind] ?? kind, ...errors].join('\n'));
  context.print(
    `Scheduled ${key}. The change will be published at ${time}; what others publish before then stays.`,
  );
}

async function listScheduled(
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

export const siteOption = [
  '--site <url>',
  'the live site, for --remote; needs ADMIN_TOKEN',
] as const;

/** The documents and the server must be of one site. @throws CommandError */
export function siteFor({ site }: SiteOption, { remote, persistTo: state }: Target): Site {
  if (remote && !site) throw new CommandError('Name the live site with --site.');
  if (site && isLocal(site) === remote) {
    throw new CommandError(
      remote ? `${site} is not the live site.` : `Add --remote, because ${site} is a live site.`,
    );
  }
  return adminSiteOf({ ...(site && { site }), state });
}

/** With the same effect as the console. */
export function scheduleCommands(
  program: Command,
  { set, read, context, target, example }: Commands,
): void {
  const on = (usage: string, description: string, arguments_ = '') =>
    subcommand(program, usage, description, arguments_).option(...siteOption);

  on(
    'schedule <folder>',
    'checks, shows the changes, asks for confirmation, schedules the publication',
    `${example} 2026-12-01T09:00Z --reason "Christmas campaign"`,
  )
    .argument('<time>', 'when, with its zone, such as 2026-12-01T09:00Z', timeIn)
    .option('--reason <text>', 'for the audit; required')
    .option('--yes', 'do not ask', false)
    .action(async (file: string, at: number, options: Omit<ScheduleOptions, 'at'> & SiteOption) => {
      const site = siteFor(options, target());
      const next = await read({ file }, context());
      await schedule(set, next, { ...options, at }, { ...context(), site });
    });

  on('scheduled', 'lists scheduled publications and their outcome').action((options: SiteOption) =>
    listScheduled(set.name, { site: siteFor(options, target()), print: context().print }),
  );

  on('unschedule <id>', 'cancels a scheduled publication', '3f1c…').action(
    async (id: string, options: SiteOption) => {
      await siteFor(options, target()).post(`/publications/${encodeURIComponent(id)}/cancel`, {});
      context().print(`Cancelled ${id}.`);
    },
  );
}
