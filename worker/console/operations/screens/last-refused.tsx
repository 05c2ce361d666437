export interface RefusedProps {
  time: string;
  reason: string;
  /** Whether the documents in KV are still refused. */
  isLive: boolean;
  /** The document as written; null for a role that cannot publish. */
  content: string | null;
}

/** The last documents that were refused. */
export function LastRefused({ time, reason, isLive, content }: RefusedProps) {
  const state = isLive
    ? 'Visitors still get an earlier version.'
    : 'Other documents have replaced them since.';
  return (
    <section className="card">
      <h2>Last refused documents</h2>
      <p>{`${time}: ${reason}. ${state}`}</p>
      {content !== null && (
        <details>
          <summary>Content of the refused document</summary>
          <pre>{content}</pre>
        </details>
      )}
    </section>
  );
}
