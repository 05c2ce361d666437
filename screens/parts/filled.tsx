type Props = { text: string; field: string };

/** A sentence whose `{{value}}` is a stored field, filled before the first paint. */
export function Filled({ text, field }: Props) {
  const [before, behind] = text.split('{{value}}');
  return (
    <>
      {before}
      <bdi data-fill={field} />
      {behind}
    </>
  );
}
