import { Icon, type IconName } from './icon.tsx';
import styles from './page-icon.module.css';

type Props = { icon: IconName; tone?: 'calm' | 'warning' };

export function PageIcon({ icon, tone = 'calm' }: Props) {
  return (
    <span className={`${styles.sign} ${styles[tone]}`}>
      <Icon name={icon} size={28} />
    </span>
  );
}
