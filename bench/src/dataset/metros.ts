/** A metropolitan area with places around it, and the codes of its main county. */
export type Metro = {
  readonly city: string;
  readonly region: string;
  readonly state: string;
  readonly stateName: string;
  readonly county: string;
  readonly countyName: string;
  readonly area: string;
  readonly areaName: string;
  readonly latitude: number;
  readonly longitude: number;
};

/** Sorted by size, the largest first: more places lie around the first ones. */
export const METROS: readonly Metro[] = (
  [
    ['New York', 'NY', 'New York', '36061', 'New York', '35620', 40.71, -74.0],
    ['Los Angeles', 'CA', 'California', '06037', 'Los Angeles', '31080', 34.05, -118.24],
    ['Chicago', 'IL', 'Illinois', '17031', 'Cook', '16980', 41.88, -87.63],
    ['Dallas', 'TX', 'Texas', '48113', 'Dallas', '19100', 32.78, -96.8],
    ['Houston', 'TX', 'Texas', '48201', 'Harris', '26420', 29.76, -95.37],
    ['Washington', 'DC', 'District of Columbia', '11001', 'Washington', '47900', 38.9, -77.04],
    ['Philadelphia', 'PA', 'Pennsylvania', '42101', 'Philadelphia', '37980', 39.95, -75.17],
    ['Miami', 'FL', 'Florida', '12086', 'Miami-Dade', '33100', 25.76, -80.19],
    ['Atlanta', 'GA', 'Georgia', '13121', 'Fulton', '12060', 33.75, -84.39],
    ['Boston', 'MA', 'Massachusetts', '25025', 'Suffolk', '14460', 42.36, -71.06],
    ['Phoenix', 'AZ', 'Arizona', '04013', 'Maricopa', '38060', 33.45, -112.07],
    ['San Francisco', 'CA', 'California', '06075', 'San Francisco', '41860', 37.77, -122.42],
    ['Riverside', 'CA', 'California', '06065', 'Riverside', '40140', 33.95, -117.4],
    ['Detroit', 'MI', 'Michigan', '26163', 'Wayne', '19820', 42.33, -83.05],
    ['Seattle', 'WA', 'Washington', '53033', 'King', '42660', 47.61, -122.33],
    ['Minneapolis', 'MN', 'Minnesota', '27053', 'Hennepin', '33460', 44.98, -93.27],
    ['San Diego', 'CA', 'California', '06073', 'San Diego', '41740', 32.72, -117.16],
    ['Tampa', 'FL', 'Florida', '12057', 'Hillsborough', '45300', 27.95, -82.46],
    ['Denver', 'CO', 'Colorado', '08031', 'Denver', '19740', 39.74, -104.99],
    ['St. Louis', 'MO', 'Missouri', '29510', 'St. Louis', '41180', 38.63, -90.2],
    ['Baltimore', 'MD', 'Maryland', '24510', 'Baltimore', '12580', 39.29, -76.61],
    ['Charlotte', 'NC', 'North Carolina', '37119', 'Mecklenburg', '16740', 35.23, -80.84],
    ['Orlando', 'FL', 'Florida', '12095', 'Orange', '36740', 28.54, -81.38],
    ['San Antonio', 'TX', 'Texas', '48029', 'Bexar', '41700', 29.42, -98.49],
    ['Portland', 'OR', 'Oregon', '41051', 'Multnomah', '38900', 45.52, -122.68],
    ['Sacramento', 'CA', 'California', '06067', 'Sacramento', '40900', 38.58, -121.49],
    ['Pittsburgh', 'PA', 'Pennsylvania', '42003', 'Allegheny', '38300', 40.44, -80.0],
    ['Austin', 'TX', 'Texas', '48453', 'Travis', '12420', 30.27, -97.74],
    ['Las Vegas', 'NV', 'Nevada', '32003', 'Clark', '29820', 36.17, -115.14],
    ['Cincinnati', 'OH', 'Ohio', '39061', 'Hamilton', '17140', 39.1, -84.51],
    ['Kansas City', 'MO', 'Missouri', '29095', 'Jackson', '28140', 39.1, -94.58],
    ['Columbus', 'OH', 'Ohio', '39049', 'Franklin', '18140', 39.96, -83.0],
    ['Indianapolis', 'IN', 'Indiana', '18097', 'Marion', '26900', 39.77, -86.16],
    ['Cleveland', 'OH', 'Ohio', '39035', 'Cuyahoga', '17460', 41.5, -81.69],
  ] as const
).map(([city, region, stateName, county, countyName, area, latitude, longitude]) => ({
  city,
  region,
  state: county.slice(0, 2),
  stateName,
  county,
  countyName,
  area,
  areaName: `${city}, ${region}`,
  latitude,
  longitude,
}));
