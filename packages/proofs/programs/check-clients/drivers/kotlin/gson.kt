import explorer.infrastructure.Serializer

inline fun <reified Body> read(text: String): Body = Serializer.gson.fromJson(text, Body::class.java)
