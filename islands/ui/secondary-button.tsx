import type { ComponentProps } from 'react';
import { type ButtonProps, ContinueButton, ContinueLink } from './continue-button.tsx';
import styles from './secondary-button.module.css';

/** A button beside the screen's main one. */
export const SecondaryButton = (props: Omit<ButtonProps, 'colorClass'>) => (
  <ContinueButton {...props} colorClass={styles.secondary} />
);

type LinkProps = Omit<ComponentProps<typeof ContinueLink>, 'colorClass'>;

export const SecondaryLink = (props: LinkProps) => (
  <ContinueLink {...props} colorClass={styles.secondary} />
);
