import explorer.infrastructure.Serializer

inline fun <reified Body> read(text: String): Body = Serializer.moshi.adapter(Body::class.java).fromJson(text)!!
