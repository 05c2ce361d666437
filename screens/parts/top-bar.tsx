import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './top-bar.module.css';

/** 24 by 28 units. */
export const LogoPin = ({ fill, dots }: { fill: string; dots: string }) => (
  <>
    <path fill={fill} d="M12 28C8 22.5 0 19.5 0 12a12 12 0 0 1 24 0c0 7.5-8 10.5-12 16z" />
    <circle cx="9" cy="12" r="4.5" fill={dots} />
    <circle cx="15" cy="12" r="4.5" fill={dots} opacity=".55" />
  </>
);

function Logo({ brand }: { brand: string }) {
  return (
    <span className={`row gap-8 ${styles.logo}`}>
      <svg width="24" height="28" viewBox="0 0 24 28" aria-hidden="true">
        <LogoPin fill="var(--brand)" dots="var(--on-brand)" />
      </svg>
      {brand}
    </span>
  );
}

type Props = PartProps<'brand' | 'flow' | 'isTestMode' | 'kind' | 'path'>;

/** A bar of 48 px with the logo, which links to the funnel except for invitees. Badges mark test mode and previews. */
export function TopBar({ page, t }: Props) {
  const outside =
    page.flow.backLeavesSite && page.path !== page.flow.firstPath && page.kind !== 'private';
  return (
    <header className={`row spread gap-12 ${styles.bar}`}>
      {outside ? (
        <a className={`row ${styles.home}`} href={page.flow.firstPath}>
          <Logo brand={page.brand} />
        </a>
      ) : (
        <Logo brand={page.brand} />
      )}
      {(page.flow.previewedArm || page.isTestMode) && (
        <span className={`row wrap gap-4 ${styles.badges}`}>
          {page.flow.previewedArm && (
            <span className="badge">{t('common.preview', { arm: page.flow.previewedArm })}</span>
          )}
          {page.isTestMode && <span className="badge">{t('common.test')}</span>}
        </span>
      )}
    </header>
  );
}
