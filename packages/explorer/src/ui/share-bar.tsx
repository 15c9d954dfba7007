import styles from './share-bar.module.css';

/** A part of a whole: a bar, and the percentage beside it. */
export function ShareBar({ share }: { readonly share: number }) {
  const percent = Math.round(share * 100);
  return (
    <span className={styles.share}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={styles.bar}>
        <rect width={100} height={8} className={styles.whole} />
        <rect width={Math.min(100, share * 100)} height={8} className={styles.part} />
      </svg>
      <span className={styles.percent}>
        {share > 0 && percent === 0 ? '< 1 %' : `${percent} %`}
      </span>
    </span>
  );
}
