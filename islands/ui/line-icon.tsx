interface Props {
  /** Path data in a 24-unit square. */
  path: string;
  size?: number | undefined;
}

/** A decorative line drawing in the text's colour. */
export const LineIcon = ({ path, size = 20 }: Props) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);
