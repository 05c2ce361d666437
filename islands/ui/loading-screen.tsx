import styles from './loading-screen.module.css';
import { Spinner } from './spinner.tsx';

export function LoadingScreen({ message }: { message: string }) {
  return (
    <div
      className={`stack gap-24 middle not-printed needs-script ${styles.screen}`}
      role="status"
      data-loading-screen=""
    >
      <Spinner large />
      <p className="lead center">{message}</p>
    </div>
  );
}
