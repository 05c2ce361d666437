import { LineIcon } from '../../islands/ui/line-icon.tsx';

export const drawings = {
  consent: 'M4 12.5 9.5 18 20 7',
  confidential: 'M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6z',
  ssl: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  pin: 'M12 21c-4-4.5-7-7.5-7-11a7 7 0 0 1 14 0c0 3.5-3 6.5-7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  back: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v5h5',
  card: 'M3 6h18v12H3zM3 10h18',
  quiet: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  mail: 'M3 6h18v13H3zM3.5 7l8.5 6.5L20.5 7',
  phone: 'M7 2.5h10v19H7zM11 18.5h2',
  school: 'M12 5 2 9.5l10 4.5 10-4.5zM6 11.5V16c2 2 10 2 12 0v-4.5',
  travel: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18z',
  stop: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9l6 6M15 9l-6 6',
  sun: 'M12 8a4 4 0 1 0 .1 0zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1',
  heart: 'M12 20C6 15.5 3 12.3 3 8.8A4.6 4.6 0 0 1 12 7.6a4.6 4.6 0 0 1 9 1.2c0 3.5-3 6.7-9 11.2z',
  alert: 'M12 3 2.5 20h19zM12 10v4M12 17v.01',
} as const;

export type IconName = keyof typeof drawings;

/** A decorative icon in the text's colour. */
export const Icon = ({ name, size }: { name: IconName; size?: number }) => (
  <LineIcon path={drawings[name]} size={size} />
);
