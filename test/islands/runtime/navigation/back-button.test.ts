import { expect, it } from 'vitest';
import { backLeaves } from '../../../../islands/runtime/navigation/back-button.ts';

it.each([
  { entry: true, since: Number.POSITIVE_INFINITY, leaves: true },
  { entry: false, since: Number.POSITIVE_INFINITY, leaves: false },
  { entry: false, since: 2000, leaves: false },
  { entry: false, since: 1999, leaves: true },
  { entry: true, since: 0, leaves: true },
])(
  'back button: entry=$entry, $since ms after the last: leaves=$leaves',
  ({ entry, since, leaves }) => {
    expect(backLeaves(entry, since)).toBe(leaves);
  },
);
