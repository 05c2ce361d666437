import { type Shot, shotsOf } from '../../scripts/gallery/shots.ts';

const articles = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

/** Pages outside the funnel that the gallery does not show. */
const more: readonly Shot[] = [
  ...articles.map((id): Shot => ({ name: id, path: `/${id}`, stage: 'fresh' })),
  { name: 'guide-refused', path: '/guide', stage: 'paid' },
  { name: 'open-app-unknown', path: '/d#unknown', stage: 'fresh' },
  { name: 'mailed-link-unknown', path: '/m#unknown', stage: 'fresh' },
  { name: 'cancel-signed-out', path: '/cancel', stage: 'fresh' },
];

/** Every page in every stage, once. */
export const allPages: readonly Shot[] = [
  ...new Map(
    [...more, ...shotsOf([])].map((shot) => [[shot.path, shot.stage, shot.press].join(), shot]),
  ).values(),
];
