/** The parts of Lighthouse's report that are used. */
export interface Report {
  categories: Record<Category, { score: number | null; auditRefs: readonly { id: string }[] }>;
  audits: Record<string, Audit>;
}

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

interface Audit {
  score: number | null;
  title: string;
  /** The console audit has a line for each error. */
  details?: { items?: readonly ConsoleError[] };
}

interface ConsoleError {
  source?: string;
  description?: string;
  sourceLocation?: { url?: string };
}

const consoleAudit = 'errors-in-console';

const lineOf = ({ source, description, sourceLocation }: ConsoleError) =>
  [source, description, sourceLocation?.url].filter(Boolean).join(' ');

/** The audits that keep categories below 100, with console messages where relevant. */
export function failedAudits({ categories, audits }: Report, of: readonly Category[]): string[] {
  const failed = ({ id }: { id: string }) => (audits[id]?.score ?? 1) < 0.9;
  const messagesOf = (id: string) => {
    const lines = (id === consoleAudit && audits[id]?.details?.items?.map(lineOf)) || [];
    return [audits[id]?.title ?? id, ...lines].join(' | ');
  };
  return of.flatMap((name) =>
    categories[name].auditRefs.filter(failed).map(({ id }) => `${name}: ${messagesOf(id)}`),
  );
}
