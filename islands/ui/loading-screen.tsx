import styles from './loading-screen.module.css';
import { Spinner } from './spinner.tsx';

export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="status" data-loading-screen="">
      <Spinner large />
      <p className={`lead ${styles.message}`}>{message}</p>
    </div>
  );
}
