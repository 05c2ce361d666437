interface Props {
  lines: readonly string[];
  /** Without marks. */
  isPlain?: boolean;
}

export const Lines = ({ lines, isPlain = false }: Props) => (
  <ul className={isPlain ? 'plain' : undefined}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
