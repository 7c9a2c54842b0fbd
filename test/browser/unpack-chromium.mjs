// Unpacks the package's browser to the folder that the environment names for temporary files.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
