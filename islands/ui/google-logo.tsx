/** Google's logo as strokes in an 18 × 18 box: path and colour. */
export const googleStrokes = [
  ['M14.1 4.1A7.1 7.1 0 0 0 2.9 5.5', '#ea4335'],
  ['M2.9 5.5a7.1 7.1 0 0 0 0 7', '#fbbc05'],
  ['M2.9 12.5a7.1 7.1 0 0 0 10.6 2', '#34a853'],
  ['M13.5 14.5A7.1 7.1 0 0 0 16.1 9H9', '#4285f4'],
] as const;

export function GoogleLogo() {
  return (
    <svg
      viewBox="0 0 18 18"
      width="24"
      height="24"
      fill="none"
      strokeWidth="3.4"
      aria-hidden="true"
    >
      {googleStrokes.map(([path, colour]) => (
        <path key={colour} d={path} stroke={colour} />
      ))}
    </svg>
  );
}
