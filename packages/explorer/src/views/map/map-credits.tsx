import styles from './map-credits.module.css';

/** Where the map below the data comes from. */
export const MAP_SOURCES = 'Natural Earth, US Census Bureau, GeoNames (CC BY 4.0)';

/** The sources of the map, in its corner. */
export function MapCredits() {
  return <p className={styles.credits}>Map: {MAP_SOURCES}</p>;
}
