import type { ReactNode } from 'react';
import styles from './qr-code.module.css';

function imageSource(picture: string): string {
  return picture.startsWith('data:')
    ? picture
    : `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

const side = 200;

type Props = {
  picture: string;
  label: string;
  children?: ReactNode;
};

export function QrCode({ picture, label, children }: Props) {
  return (
    <div className={styles.box} aria-busy={picture ? undefined : true}>
      {picture ? (
        <img src={imageSource(picture)} width={side} height={side} alt={label} />
      ) : (
        children
      )}
    </div>
  );
}
