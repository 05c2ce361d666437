import { screenName } from './rules/screen-names.ts';

/** A screen's name, with its id in grey. */
export const ScreenName = ({ id, name }: { id: string; name?: string | undefined }) => (
  <>
    {name ?? screenName(id)} <small>{id}</small>
  </>
);
