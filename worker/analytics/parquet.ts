/** Only what events need of both libraries: an import on demand of a whole library keeps all of it. */
export { parquetReadObjects } from 'hyparquet';
export { parquetWriteBuffer } from 'hyparquet-writer';
