import type { Text } from '../../locales/index.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import styles from './link-picture.module.css';

type Props = {
  t: Text;
  of: 'link' | 'mail';
};

export const LinkPicture = ({ t, of }: Props) => (
  <div className={styles.picture}>
    <SmallPicture t={t} of={of} />
  </div>
);
