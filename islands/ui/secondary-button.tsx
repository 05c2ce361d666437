import { type ButtonProps, ContinueButton } from './continue-button.tsx';
import styles from './secondary-button.module.css';

/** A button beside the screen's main one. */
export const SecondaryButton = (props: Omit<ButtonProps, 'colorClass'>) => (
  <ContinueButton {...props} colorClass={styles.secondary} />
);
