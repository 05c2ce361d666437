import { ContinueButton, type Props } from './continue-button.tsx';
import styles from './secondary-button.module.css';

/** A button beside the screen's main one. */
export const SecondaryButton = (props: Props) => (
  <ContinueButton {...props} colors={styles.secondary} />
);
