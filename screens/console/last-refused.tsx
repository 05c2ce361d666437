export interface RefusedProps {
  time: string;
  reason: string;
  /** Whether visitors still do not get what is in KV. */
  isLive: boolean;
  /** As it was written; null for who does not publish. */
  content: string | null;
}

/** The last documents that visitors did not get. */
export function LastRefused({ time, reason, isLive, content }: RefusedProps) {
  const state = isLive
    ? 'Visitors still get an earlier version.'
    : 'Other documents replaced them since.';
  return (
    <section className="card">
      <h2>Last documents that were refused</h2>
      <p>{`${time}: ${reason}. ${state}`}</p>
      {content !== null && (
        <details>
          <summary>What was written</summary>
          <pre>{content}</pre>
        </details>
      )}
    </section>
  );
}
