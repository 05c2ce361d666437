import type { Text } from '../../locales/index.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import styles from './link-picture.module.css';

export const LinkPicture = ({ t }: { t: Text }) => (
  <div className={styles.picture}>
    <SmallPicture t={t} of="map" />
  </div>
);
