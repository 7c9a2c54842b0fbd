/** The file name of an endpoint, without its ending: `getBlock` is in `get-block`. */
export const fileNameOf = (name: string): string => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
