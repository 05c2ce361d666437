import type { Text } from '../../locales/index.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import styles from './link-picture.module.css';

/** A phone's picture between the promise and the single button of a link's page. */
export const LinkPicture = ({ t }: { t: Text }) => (
  <div className={styles.picture}>
    <SmallPicture t={t} of="map" />
  </div>
);
