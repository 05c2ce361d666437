import { screenName } from './rules/screen-names.ts';

/** A screen's name, with its id in grey. */
export const ScreenName = ({ id }: { id: string }) => (
  <>
    {screenName(id)} <small>{id}</small>
  </>
);
