export interface ChangeProps {
  /** Such as +12%; empty if there is nothing to compare with. */
  text: string;
  kind: 'better' | 'worse' | 'same';
}

/** A change against the period before: green for an improvement, never red, because it need not be a problem. */
export const ChangeText = ({ text, kind }: ChangeProps) => (
  <span className={`change ${kind}`}>
    {text}
    <span className="unseen"> from the previous period</span>
  </span>
);
